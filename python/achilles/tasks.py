"""The tasks, as `achilles env list` names them. A test of the program holds the list to it."""

TASKS = (
    "Opiaagets", "CupTask", "GridTask", "CvTask", "BasicTask",
    "Permanence", "ANotBTask", "TranspositionTask", "DisplacementTask", "RotationTask", "TubesTask", "TunnelTask",
    "Comparative", "DetourTask", "ApertureTask", "SizeTask", "NumberTask", "WhatWhereWhenTask",
    "Physical", "RatioTask", "CohesionTask", "CylinderTask", "ImplosionTask", "DecoyTask", "BoardsTask", "ToolsTask", "DurationsTask",
    "Radial", "RadialMazeTask",
)


def register():
    """Register achilles/TASK-v0 with Gymnasium for every task."""
    import gymnasium

    for task in TASKS:
        name = f"achilles/{task}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="achilles.env:World", vector_entry_point="achilles.env:Worlds", kwargs={"task": task})
