import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { type AgentRuntime, dispatchAs, orFault } from './runtime.ts'

/** A lease expires this long after its server is gone. It is renewed three times as often. */
const TTL_MS = 120_000

interface Lease {
  lease_id: string
  ticket_number?: string
  task_id?: number
}

/** The leases that an agent holds for one run or chat reply, all under one owner_id. */
export class HeldLeases {
  private readonly leases = new Map<string, Lease>()

  constructor(
    private readonly runtime: AgentRuntime,
    /** Distinguishes this work from other work of the same agent. */
    private readonly owner_id: string,
  ) {}

  readonly term = () => ({ owner_id: this.owner_id, ttl: TTL_MS })

  /** Claims a task; returns the refusal if that fails. */
  async claim(caller: Caller, task_id: number): Promise<Fault | undefined> {
    const input = { task_id, ...this.term() }
    const lease = await orFault(dispatchAs<Lease>(this.runtime, caller, 'leases.claim', input))
    if (lease instanceof Fault) return lease
    this.add({ ...lease, task_id })
    return undefined
  }

  /** A lease that the model claimed with a tool is renewed and released like the others. */
  add(lease: Lease): void {
    this.leases.set(lease.lease_id, lease)
  }

  /** Removes the lease that an input names by its id or by its task. */
  forget(input: Record<string, unknown>): void {
    this.leases.delete((input.lease_id as string | undefined) ?? this.leaseFor(input) ?? '')
  }

  /** The lease of the task that an input names, if it is held here. */
  leaseFor(input: Record<string, unknown>): string | undefined {
    for (const { lease_id, ticket_number, task_id } of this.leases.values()) {
      const ids = [input.task_id, input.ticket_number].filter((id) => id !== undefined)
      if (ids.some((id) => id === task_id || id === ticket_number)) return lease_id
    }
    return undefined
  }

  ticketNumberOf(task_id: number | undefined): string | undefined {
    return [...this.leases.values()].find((lease) => lease.task_id === task_id)?.ticket_number
  }

  /** Renews every lease, and forgets those that have ended meanwhile. */
  async renew(caller: Caller): Promise<void> {
    for (const { lease_id } of [...this.leases.values()]) {
      const renewed = await orFault(
        dispatchAs(this.runtime, caller, 'leases.heartbeat', { lease_id }),
      )
      if (renewed instanceof Fault) this.leases.delete(lease_id)
    }
  }

  /** Releases every lease. */
  async release(caller: Caller | undefined): Promise<void> {
    for (const lease_id of [...this.leases.keys()]) {
      this.leases.delete(lease_id)
      if (caller) await orFault(dispatchAs(this.runtime, caller, 'leases.release', { lease_id }))
    }
  }
}
