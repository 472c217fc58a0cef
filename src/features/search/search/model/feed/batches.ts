import type { Store } from '../../../../../kernel/dispatch.ts'
import type { PassageKind } from '../../../../../kernel/services.ts'
import type { ScanProgress } from './position.ts'
import type { StaleTexts } from './stale-texts.ts'
import { BATCH_SIZE } from './statements.ts'
import { KINDS, refsAfter, refsByIds, refsOf, type TextRef, tasksWithChildren } from './texts.ts'

type Reader = Pick<Store, 'read'>

/** Size of a batch, to keep each read short. A longer text is a batch of its own. */
const MAX_BYTES = 256 * 1024

/** Groups texts into batches that can be read quickly. */
export async function* batchesOf(
  refs: AsyncIterable<readonly TextRef[]>,
): AsyncGenerator<TextRef[]> {
  let batch: TextRef[] = []
  let bytes = 0
  for await (const list of refs)
    for (const ref of list) {
      if (batch.length && (bytes + ref.bytes > MAX_BYTES || batch.length >= BATCH_SIZE)) {
        yield batch
        batch = []
        bytes = 0
      }
      batch.push(ref)
      bytes += ref.bytes
    }
  if (batch.length) yield batch
}

/** References to all texts that have to be read again. */
export async function* staleRefs({ read }: Reader, { tasks, texts }: StaleTexts) {
  for (const kind of KINDS)
    for (const ids of chunksOf([...texts[kind]])) yield await read((tx) => refsByIds(tx, kind, ids))
  for (const ids of chunksOf([...tasks])) {
    const { refs, children } = await read((tx) => tasksWithChildren(tx, ids))
    yield refs
    for (const { kind, task } of children)
      yield* pagesOfRefs(0, (id) => read((tx) => refsOf(tx, kind, task, id)))
  }
}

/** References to all texts, from the progress of a scan onwards. */
export async function* refsFrom({ read }: Reader, { kind: from, id }: ScanProgress) {
  for (const kind of KINDS.slice(KINDS.indexOf(from)))
    yield* pagesOfRefs(kind === from ? id : 0, (after) => read((tx) => refsAfter(tx, kind, after)))
}

export const SCAN_START: ScanProgress = { kind: KINDS[0] as PassageKind, id: 0 }

async function* pagesOfRefs(from: number, next: (after: number) => Promise<TextRef[]>) {
  let after = from
  for (;;) {
    const page = await next(after)
    if (page.length) yield page
    const last = page.at(-1)
    if (!last || last.id <= after) return
    after = last.id
  }
}

function* chunksOf(ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += BATCH_SIZE) yield ids.slice(at, at + BATCH_SIZE)
}
