import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { ask, type Desk, tried } from './desk.ts'

/** A lease ends so soon where the server that keeps it is gone; it is kept three times as often. */
const TTL_MS = 120_000

interface Lease {
  lease_id: string
  ticket_number?: string
  task_id?: number
}

/** The leases that an agent holds for one piece of work, all under one name. */
export class Holding {
  private readonly leases = new Map<string, Lease>()

  constructor(
    private readonly desk: Desk,
    /** Tells this work from other work of the same agent. */
    private readonly owner_id: string,
  ) {}

  readonly term = () => ({ owner_id: this.owner_id, ttl: TTL_MS })

  /** A task is taken, or why it cannot be. */
  async claim(caller: Caller, task_id: number): Promise<Fault | undefined> {
    const input = { task_id, ...this.term() }
    const lease = await tried(ask<Lease>(this.desk, caller, 'leases.claim', input))
    if (lease instanceof Fault) return lease
    this.keep({ ...lease, task_id })
    return undefined
  }

  /** What a tool claimed is kept and given back like the rest. */
  keep(lease: Lease): void {
    this.leases.set(lease.lease_id, lease)
  }

  forget(lease_id: string): void {
    this.leases.delete(lease_id)
  }

  /** The lease of the one task that an input names, if it is held here. */
  of(input: Record<string, unknown>): string | undefined {
    for (const { lease_id, ticket_number, task_id } of this.leases.values()) {
      const named = [input.task_id, input.ticket_number].filter((one) => one !== undefined)
      if (named.some((one) => one === task_id || one === ticket_number)) return lease_id
    }
    return undefined
  }

  keyOf(task_id: number | undefined): string | undefined {
    return [...this.leases.values()].find((lease) => lease.task_id === task_id)?.ticket_number
  }

  /** Called while the work goes on; what ended meanwhile is held no more. */
  async renew(caller: Caller): Promise<void> {
    for (const { lease_id } of [...this.leases.values()]) {
      const kept = await tried(ask(this.desk, caller, 'leases.heartbeat', { lease_id }))
      if (kept instanceof Fault) this.forget(lease_id)
    }
  }

  /** Gives everything back. */
  async release(caller: Caller | undefined): Promise<void> {
    for (const lease_id of [...this.leases.keys()]) {
      this.forget(lease_id)
      if (caller) await tried(ask(this.desk, caller, 'leases.release', { lease_id }))
    }
  }
}
