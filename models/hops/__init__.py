"""Hops: as many hops as possible on a watered field, each of them within reach of somebody on foot."""
