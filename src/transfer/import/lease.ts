import { and, eq } from 'drizzle-orm'
import type { Clock, Tx } from '../../kernel/caller.ts'
import { imports } from '../../store/tables.ts'
import { UnusableError } from '../../store/unusable.ts'

/** An import without a renewed lease for this long counts as dead, and a server discards it. */
export const LEASE_MS = 60_000

export class Interrupted extends UnusableError {
  constructor() {
    super('Interrupted: nothing was imported.')
  }
}

/** The right to continue an import, renewed in each of its transactions. */
export class Lease {
  team_id: number | undefined

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  get expires_at(): Date {
    return new Date(this.clock().getTime() + LEASE_MS)
  }

  /** Throws if the import was interrupted or discarded. */
  readonly renew = async (tx: Tx): Promise<void> => {
    if (this.signal.aborted) throw new Interrupted()
    if (this.team_id === undefined) return
    const renewed = await tx
      .update(imports)
      .set({ expires_at: this.expires_at })
      .where(and(eq(imports.team_id, this.team_id), eq(imports.state, 'staged')))
      .returning({ team_id: imports.team_id })
    if (renewed.length) return
    throw new UnusableError(
      `The import made no progress for more than ${LEASE_MS / 1000} s, so it was discarded. Nothing was imported; run it again.`,
    )
  }
}
