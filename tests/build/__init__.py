"""Tests of building; a package, so that it comes before an installed one of the name `build`."""
