import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Batch } from './batch.ts'
import type { Source } from './source.ts'

interface Rights {
  caller: Caller
  /** The boards that were looked up, and whether the caller can see them. */
  boards: Map<number, boolean>
}

/** The open streams of one credential. Its access is looked up once for all of them. */
export class Subscriber<Stream extends { end(): void }> {
  readonly streams = new Set<Stream>()
  private lastCheck = performance.now()
  /** The latest rights. A batch that began before a refresh finishes with the rights it had. */
  private rights: Promise<Rights>

  constructor(
    private readonly source: Source,
    readonly caller: Caller,
  ) {
    this.rights = Promise.resolve({ caller, boards: new Map() })
  }

  isDue(checkMs: number): boolean {
    return performance.now() - this.lastCheck >= checkMs
  }

  /** The access mask for a batch; undefined once the credential is invalid. */
  async maskFor(batch: Batch, checkMs: number): Promise<string | undefined> {
    try {
      const accessMayDiffer = batch.changes.some((change) => this.source.mayChangeAccess(change))
      if (accessMayDiffer || this.isDue(checkMs)) this.refreshRights()
      const rights = await this.rights
      const canSee = (project_id: number) =>
        rights.boards.get(project_id) ?? this.lookUpBoard(rights, project_id)
      return await batch.maskFor((change) => this.source.canHear(rights.caller, change, canSee))
    } catch (error) {
      this.endStreams(error)
    }
  }

  /** Whether the caller can see a board; no if the credential is invalid. */
  async canSee(project_id: number): Promise<boolean> {
    const rights = await this.rights.catch(() => undefined)
    if (!rights) return false
    return rights.boards.get(project_id) ?? this.lookUpBoard(rights, project_id)
  }

  /** Ends the streams if the credential is no longer valid. Needed while there are no changes. */
  async checkNow() {
    this.refreshRights()
    await this.rights.catch((error) => this.endStreams(error))
  }

  private refreshRights() {
    this.lastCheck = performance.now()
    this.rights = this.source
      .refreshCaller(this.caller)
      .then((caller) => ({ caller, boards: new Map<number, boolean>() }))
  }

  private async lookUpBoard({ caller, boards }: Rights, project_id: number): Promise<boolean> {
    const isVisible = await this.source.canSeeBoard(caller, project_id)
    boards.set(project_id, isVisible)
    return isVisible
  }

  private endStreams(error: unknown) {
    if (!(error instanceof Fault)) this.source.onError(error)
    // Either the credential is invalid or the database failed. The streams end in both cases.
    for (const stream of [...this.streams]) stream.end()
  }
}
