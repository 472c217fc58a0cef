import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Batch } from './batch.ts'
import type { Source } from './source.ts'

interface Rights {
  caller: Caller
  /** Which boards were asked for, and whether they may be seen. */
  boards: Map<number, boolean>
}

/** A credential that streams are open for: what it may hear is looked up once for all of them. */
export class Ear<Stream extends { end(): void }> {
  readonly streams = new Set<Stream>()
  private checked = performance.now()
  /** As they were last asked for; whoever began before that goes on with what it had. */
  private rights: Promise<Rights>

  constructor(
    private readonly source: Source,
    readonly caller: Caller,
  ) {
    this.rights = Promise.resolve({ caller, boards: new Map() })
  }

  isDue(check: number): boolean {
    return performance.now() - this.checked >= check
  }

  /** What of a batch may be heard; nothing once the credential is no good. */
  async hear(batch: Batch, check: number): Promise<string | undefined> {
    try {
      const unsettled = batch.changes.some((change) => this.source.unsettles(change))
      if (unsettled || this.isDue(check)) this.ask()
      const rights = await this.rights
      const sees = (project_id: number) =>
        rights.boards.get(project_id) ?? this.look(rights, project_id)
      return await batch.heardBy((change) => this.source.hears(rights.caller, change, sees))
    } catch (error) {
      this.end(error)
    }
  }

  /** Sees to it that nobody listens with a credential that is no good, though nothing happens. */
  async check() {
    this.ask()
    await this.rights.catch((error) => this.end(error))
  }

  private ask() {
    this.checked = performance.now()
    this.rights = this.source
      .again(this.caller)
      .then((caller) => ({ caller, boards: new Map<number, boolean>() }))
  }

  private async look({ caller, boards }: Rights, project_id: number): Promise<boolean> {
    const sees = await this.source.sees(caller, project_id)
    boards.set(project_id, sees)
    return sees
  }

  private end(error: unknown) {
    if (!(error instanceof Fault)) this.source.failed(error)
    // The credential is no good any more, or the database is not: either way it is over.
    for (const stream of [...this.streams]) stream.end()
  }
}
