import type { Sources } from '../../../import/open.ts'
import type { OperationDescription } from '../../../kernel/operation.ts'
import type { Client } from '../client.ts'
import type { Values } from '../command.ts'
import type { CommandIO } from '../io.ts'
import type { Stream } from '../progress.ts'

/** What the steps of an import on the command line share. */
export interface ImportContext {
  io: CommandIO
  values: Values
  catalog: readonly OperationDescription[]
  client: Client
  sources: Sources
  /** Where progress is shown. */
  stream: Stream
}
