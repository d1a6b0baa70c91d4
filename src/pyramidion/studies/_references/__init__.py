"""How texts refer to people: what is counted, which model predicts it, how it is shown."""
