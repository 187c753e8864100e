"""Questions and answers: the plain data that engines take and give."""
