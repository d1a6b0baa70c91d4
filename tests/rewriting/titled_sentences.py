"""Sentences in which a description stands before a person's name, and their maximum phrases."""

__all__ = ["TITLED_SENTENCES"]

TITLED_SENTENCES = (
    # Nenkova (2006), Figure 4.4, and sentence 2 of section 4.3.
    (
        "British police arrested former Chilean dictator Augusto Pinochet.",
        ["British police", "former Chilean dictator Augusto Pinochet"],
    ),
    (
        "The arrest in London of former Chilean dictator Augusto Pinochet caused an international "
        "controversy.",
        [
            "The arrest in London of former Chilean dictator Augusto Pinochet",
            "an international controversy",
        ],
    ),
    # The same with other people.
    (
        "Danish police questioned former union leader Rosa Vale.",
        ["Danish police", "former union leader Rosa Vale"],
    ),
    (
        "The trial in Oslo of former army captain Peter Holm divided the country.",
        ["The trial in Oslo of former army captain Peter Holm", "the country"],
    ),
    (
        "The capture near Graz of fugitive banker Emil Dorn embarrassed the ministry.",
        ["The capture near Graz of fugitive banker Emil Dorn", "the ministry"],
    ),
    (
        "The widow of slain union organizer Carla Ruiz thanked prosecutor Hugo Lindt.",
        ["The widow of slain union organizer Carla Ruiz", "prosecutor Hugo Lindt"],
    ),
    # A plural and a verb that may be a participle begin the sentence.
    (
        "Reporters questioned union leader Rosa Vale.",
        ["Reporters", "union leader Rosa Vale"],
    ),
    (
        "Police detained former army captain Peter Holm on Friday.",
        ["Police", "former army captain Peter Holm", "Friday"],
    ),
    (
        "Critics attacked former finance minister Jonas Weil's plan.",
        ["Critics", "former finance minister Jonas Weil's plan"],
    ),
)
