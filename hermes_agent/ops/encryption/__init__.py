"""Encrypting a home, decrypting it, and exchanging its key; what stays plain in it, named one by one."""
