/** What a reader of the table should know, and why a target is missed where one is. */
export const REMARKS = `## Remarks

- **get, random keys of 500** is what agents do that ask again and again: between two writes the
  answer is given from memory, and every write makes all of it forgotten. **The three other rows of
  get are looked up**, in whole or in part, and miss the target that the first one reaches. A bare
  route costs about 5 µs of processor time, so that 0.35 of it leaves 15 µs for everything; a look-up
  takes four short statements and decodes 40 values, 80 µs in all. Tried: statements that are planned
  and decoded once (a fifth of what they cost before), surroundings remembered per task, credentials
  remembered until a write, no context that the router would build in vain, figures counted without
  a library, no log line per request. While tasks change, the thread that answers also waits for the
  disk at every commit. What is left to try is a second thread that only reads.
- **create** writes the words of a task into the text index, and those who follow the change log read
  what was created; its yardstick does neither. With text, labels and assignee it has no target: it
  cleans the text, asks who sees the board and notifies, where its yardstick writes rows alone.
- **with a label** and **of one assignee** count up to 10,000 tasks to tell a total; boards that are
  listed without such a filter keep their counts.
- **around** has no target: its yardstick reads nothing, while a context is put together from a dozen
  statements, and a search ranks what it found and cuts snippets of it.
- **live** counts from the moment a change is asked for until each client has it; half of the clients'
  credentials are of people, half of agents. Its yardstick knows nobody and reads nothing: it sends
  the same bytes to everybody. What writers lose to those who listen is the sending itself, which
  takes at most half of the time.
- The yardstick of **one commit per request** is the same executable with commits of one write.
- **pages**: both sides are asked of one house, after its index has read all that was written. While
  long pages are added to, that index reads them again beside.
- **claims**: 64 agents, each with a token of its own, empty a queue that was filled just before;
  every task is taken once, or there is no figure. What is leased stands in no index of the queue, so
  the last claim costs what the first one does.
- Of **PostgreSQL** with \`fsync\` on: on one board all writers take their numbers from one row.
`
