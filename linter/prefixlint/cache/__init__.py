"""Results of earlier runs, kept on disk in a form that holds data alone and is checked before it is used."""
