"""Compiled loops on flat arrays. Nothing else imports the compiler."""
