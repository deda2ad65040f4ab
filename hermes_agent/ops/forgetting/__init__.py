"""Forgetting carried out: the files of a home cleaned and looked through, receipts written, backups made anew."""
