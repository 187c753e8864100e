"""The rule kinds: what `rule: slide`, `rule: jump` and `rule: apply` mean."""
