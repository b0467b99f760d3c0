"""The key of a source, as methods and generators have it, in the words of a reader"""

# Names that are not a word with its first letter in upper case.
NAMES = {"martinez": "Martínez", "deluca": "De Luca", "dostal": "Dostál", "graeser": "Gräser",
         "hintermueller": "Hintermüller", "judice": "Júdice", "kocvara": "Kočvara", "more": "Moré", "perp": "perp"}


def citation(source):
    """more-toraldo-1991 -> Moré, Toraldo 1991"""
    words = source.replace("silcowitz-hansen", "silcowitz_hansen").split("-")  # one person
    year = [words.pop()] if words[-1].isdigit() else []
    names = [NAMES.get(w, "-".join(part.capitalize() for part in w.split("_"))) for w in words]
    return " ".join([", ".join(names), *year])
