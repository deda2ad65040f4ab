"""The source of a package that brings an embedder: `make` builds a sound one, the others do not."""

ACME = """
import numpy

class Acme:
    name = "letters"
    fingerprint = "letters@1/26/plain-1"
    dimensions = 26
    is_local = True
    batch_size = 2
    settings = {}

    def embed(self, texts):
        assert 0 < len(texts) <= self.batch_size
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text):
        counts = [text.lower().count(chr(97 + place)) + 0.01 for place in range(26)]
        return numpy.array(counts)

def make(settings):
    embedder = Acme()
    embedder.settings = settings
    return embedder

def broken(settings):
    raise KeyError("no licence")

def nothing(settings):
    return 42

class Raises(Acme):
    def embed(self, texts):
        raise Exception("the moon is full")
    embed_query = embed

class TooShort(Acme):
    def embed(self, texts):
        return numpy.ones((len(texts), 3))

class TooFew(Acme):
    def embed(self, texts):
        return numpy.ones((1, 26))

class NoNumbers(Acme):
    def embed(self, texts):
        return numpy.full((len(texts), 26), numpy.nan)

def raises(settings): return Raises()
def too_short(settings): return TooShort()
def too_few(settings): return TooFew()
def no_numbers(settings): return NoNumbers()
"""
