import type { Store } from '../../../kernel/dispatch.ts'
import type { PassageKind } from '../../../kernel/outside.ts'
import type { Walked } from './place.ts'
import { MANY } from './statements.ts'
import { KINDS, type Ref, refsAfter, refsNamed, refsOf, wholeTasks } from './texts.ts'
import type { Upkeep } from './upkeep.ts'

type Reading = Pick<Store, 'read'>

/** Read at once, so that nobody waits for it long; a text that is longer comes alone. */
const MOST_BYTES = 256 * 1024

/** Texts in such portions that each can be read in a moment. */
export async function* portions(refs: AsyncIterable<readonly Ref[]>): AsyncGenerator<Ref[]> {
  let portion: Ref[] = []
  let bytes = 0
  for await (const some of refs)
    for (const ref of some) {
      if (portion.length && (bytes + ref.bytes > MOST_BYTES || portion.length >= MANY)) {
        yield portion
        portion = []
        bytes = 0
      }
      portion.push(ref)
      bytes += ref.bytes
    }
  if (portion.length) yield portion
}

/** All that has to be read again. */
export async function* refsIn({ read }: Reading, { tasks, texts }: Upkeep) {
  for (const kind of KINDS)
    for (const ids of inTurns([...texts[kind]])) yield await read((tx) => refsNamed(tx, kind, ids))
  for (const ids of inTurns([...tasks])) {
    const { refs, hung } = await read((tx) => wholeTasks(tx, ids))
    yield refs
    for (const { kind, task } of hung)
      yield* rows(0, (id) => read((tx) => refsOf(tx, kind, task, id)))
  }
}

/** Everything there is, from where a walk has come to. */
export async function* refsBeyond({ read }: Reading, { kind: from, id }: Walked) {
  for (const kind of KINDS.slice(KINDS.indexOf(from)))
    yield* rows(kind === from ? id : 0, (after) => read((tx) => refsAfter(tx, kind, after)))
}

export const BEGINNING: Walked = { kind: KINDS[0] as PassageKind, id: 0 }

async function* rows(from: number, next: (after: number) => Promise<Ref[]>) {
  let after = from
  for (;;) {
    const some = await next(after)
    if (some.length) yield some
    const last = some.at(-1)
    if (!last || last.id <= after) return
    after = last.id
  }
}

function* inTurns(ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += MANY) yield ids.slice(at, at + MANY)
}
