"""One tiny robot for each message about a track: the text, the line, what is said and what is advised."""

from __future__ import annotations

from description.tiny_robots import spoilt

SHAPE = "<geometry><sphere radius='0.1'/></geometry>"

TRACK_ERRORS = [
    (
        spoilt('name="belt" link="base"', 'name="belt" link="bas"'),
        7,
        "its link 'bas' does not exist",
        "'base'",
    ),
    (spoilt('name="belt" ', ""), 7, "<track> has no 'name'", ""),
    (spoilt(' link="base" width', " width"), 7, "track 'belt': <track> has no 'link'", ""),
    (spoilt('width="0.08"', ""), 7, "<track> has no 'width'", ""),
    (spoilt('width="0.08"', 'width="wide"'), 7, 'width="wide">: width is not a number', ""),
    (spoilt('width="0.08"', 'width="0"'), 7, "width 0.0; it must be a finite number above 0", ""),
    (spoilt('thickness="0.01"', ""), 7, "<track> has no 'thickness'", ""),
    (spoilt('thickness="0.01"', 'thickness="-0.01"'), 7, "thickness -0.01; it must be", ""),
    (spoilt('thickness="', 'thicknes="'), 7, "<track> has no attribute 'thicknes'", "mean 'thickness'"),
    (spoilt("<drive", "<drives/><drive"), 11, "<track> has no element <drives>", "mean 'drive'"),
    (spoilt("<track name", '<track visual="maybe" name'), 7, "visual is not 'true' or 'false'", ""),
    (spoilt("<track name", '<track color="1 1" name'), 7, "color is not 4 numbers", ""),
    (spoilt("<track name", '<track support="odd" name'), 7, "support 'odd' is not ends, wheels", "stations"),
    (spoilt("<track name", '<track support="even:1" name'), 7, "support 'even:1' is not", "2 to 1000"),
    (spoilt("<track name", '<track efficiency="1.1" name'), 7, "efficiency 1.1; it must be", ""),
    (spoilt("<track name", '<track efficiency="0" name'), 7, "efficiency 0.0; it must be", ""),
    (spoilt("<track name", '<track skip_torque="0" name'), 7, "skip_torque 0.0; it must be", ""),
    (spoilt("<track name", '<track replaces="base bse" name'), 7, "replaces: link 'bse' does not", "'base'"),
    (spoilt('  <axis xyz="0 1 0"/>\n  <wheel', "  <wheel"), 7, "it has no <axis>", "0 1 0"),
    (spoilt("  <drive", '  <axis xyz="0 1 0"/>\n  <drive'), 11, "it has 2 <axis>", ""),
    (
        spoilt('  <axis xyz="0 1 0"/>\n  <wheel', '  <axis xyz="0 0 0"/>\n  <wheel'),
        8,
        "axis '0 0 0' is zero",
        "",
    ),
    (
        spoilt('  <axis xyz="0 1 0"/>\n  <wheel', '  <axis xyz="0 1 0" rpy="0 0 0"/>\n  <wheel'),
        8,
        "'rpy'",
        "",
    ),
    (spoilt('<wheel joint="left"', '<wheel joint="lift"'), 9, "wheel 1 (joint 'lift'): that joint", "'left'"),
    (spoilt('<wheel joint="left"', "<wheel"), 9, "neither a joint nor xyz", "one of them"),
    (spoilt('<wheel joint="left"', '<wheel joint="left" xyz="0 0 0"'), 9, "both a joint and xyz", "one"),
    (spoilt('<wheel joint="left" radius="0.1"', '<wheel joint="left"'), 9, "<wheel> has no 'radius'", ""),
    (spoilt('radius="0.1"', 'radius="-0.1"'), 9, "wheel 1 (joint 'left'): radius -0.1 m", ""),
    (spoilt('radius="0.1"', 'radius="0.1" rad="1"'), 9, "<wheel> has no attribute 'rad'", "mean 'radius'"),
    (
        spoilt('  <wheel xyz="-0.4 0.25 0" radius="0.1"/>\n', ""),
        7,
        "it has 1 wheel; a belt wraps at least",
        "",
    ),
    (spoilt("-0.4 0.25 0", "-0.4 0.3 0"), 10, "0.05 m off the plane", "along the axis"),
    (
        spoilt("  <drive", '  <wheel xyz="0.41 0.25 0" radius="0.02"/>\n  <drive'),
        11,
        "wheel 3 (xyz 0.41, 0.25, 0): it lies inside wheel 1 (joint 'left')",
        "remove",
    ),
    (
        spoilt("  <drive", '  <wheel xyz="0.4 0.25 0" radius="0.1"/>\n  <drive'),
        11,
        "wheel 3 (xyz 0.4, 0.25, 0): it lies inside wheel 1",
        "remove",
    ),
    (
        spoilt("  <drive", '  <wheel xyz="0 0.25 0" radius="0.05"/>\n  <drive'),
        11,
        "it lies 0.05 m inside the belt, which is rigid",
        "radius 0.1",
    ),
    (
        spoilt('<axis xyz="0 1 0"/><dynamics', '<axis xyz="0 0 1"/><dynamics'),
        9,
        "its axis is 90 degrees off the track's axis",
        "(0.0, 1.0, 0.0)",
    ),
    (
        spoilt('type="continuous"', 'type="fixed"'),
        9,
        "a wheel turns on a revolute or continuous joint, not on a fixed one",
        "xyz",
    ),
    (
        spoilt('link="base" width', 'link="sprocket" width'),
        9,
        "the joint's parent is 'base', not the track's link 'sprocket'",
        "xyz",
    ),
    (
        spoilt('<link name="sprocket"/>', f'<link name="sprocket"><collision>{SHAPE}</collision></link>'),
        9,
        "its link 'sprocket' has collision geometry of its own",
        'replaces="sprocket"',
    ),
    (spoilt('  <drive joint="left" gain="0.11"/>\n', ""), 7, "it has no <drive>", "passive joint"),
    (spoilt('<drive joint="left"', '<drive joint="lift"'), 11, '<drive joint="lift">: that joint', "'left'"),
    (spoilt('gain="0.11"', 'gain="0"'), 11, "gain is 0", "pitch radius"),
    (spoilt('gain="0.11"', 'gain="nan"'), 11, "gain is not a number", ""),
    (spoilt(' gain="0.11"', ""), 11, "<drive> has no 'gain'", ""),
    (spoilt('type="continuous"', 'type="spherical"'), 11, "a spherical joint cannot drive", "prismatic"),
    (
        spoilt("</robot>", '<track name="belt" link="base"/></robot>'),
        13,
        "track 'belt' is there twice; the first is in line 7",
        "rename",
    ),
]
