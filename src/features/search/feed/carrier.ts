import type { Logger } from 'pino'
import type { Store } from '../../../kernel/dispatch.ts'
import type { Delivery, Place, Shelves } from '../../../search/library/shelves.ts'
import { changesSince } from '../../../store/log.ts'
import { BEGINNING, portions, refsBeyond, refsIn } from './batches.ts'
import { inWalk, isHere, newestPlace, placeAt, type Walked, walkedTo } from './place.ts'
import { Share } from './share.ts'
import { type Ref, textsOf } from './texts.ts'
import { upkeepOf } from './upkeep.ts'

const BATCH = 200

export interface Carrying {
  store: Pick<Store, 'read'>
  shelves: Pick<Shelves, 'place' | 'take' | 'forget'>
  log: Pick<Logger, 'info' | 'warn'>
}

/**
 * Carries texts from the database to a library. The library knows how far it has come, and learns
 * of it together with the texts: whatever is cut off in between is done again, which changes
 * nothing where it was done already.
 */
export class Carrier {
  /** It has been at the end of the log since it began, or since all was built anew. */
  isLevel = false

  constructor(
    private readonly parts: Carrying,
    private readonly isStopped: () => boolean = () => false,
  ) {}

  /** True where nothing is left to be carried. */
  async step(): Promise<boolean> {
    const { store, shelves, log } = this.parts
    const place = await shelves.place()
    if (place && (await store.read((tx) => isHere(tx, place)))) {
      const walked = walkedTo(place)
      return walked ? this.fill(place, walked) : this.follow(place)
    }
    if (place) log.warn({}, 'The search index is of another database, and is built anew')
    this.isLevel = false
    await shelves.forget()
    return this.fill(await store.read(newestPlace), BEGINNING)
  }

  private async follow({ seq }: Place): Promise<boolean> {
    const { store } = this.parts
    const changes = await store.read((tx) => changesSince(tx, seq, BATCH))
    const last = changes.at(-1)
    if (last) {
      const place = await store.read((tx) => placeAt(tx, last.seq))
      await this.carry(portions(refsIn(store, upkeepOf(changes))), () => undefined, place)
    }
    const isLast = changes.length < BATCH
    if (isLast && !this.isStopped()) this.isLevel = true
    return isLast
  }

  /** Everything there is; what is written meanwhile is followed afterwards. */
  private async fill({ seq }: Place, from: Walked): Promise<boolean> {
    const { store, log } = this.parts
    const end = await store.read((tx) => placeAt(tx, seq))
    const share = await store.read((tx) => Share.of(tx, log))
    const upTo = (last: Ref): Place => {
      share.tell(last)
      return inWalk(end, last)
    }
    await this.carry(portions(refsBeyond(store, from)), upTo, end)
    if (!this.isStopped()) share.end()
    return false
  }

  /** One portion after the other; with the last goes the place that is reached by then. */
  private async carry(
    all: AsyncIterable<Ref[]>,
    reached: (last: Ref) => Place | undefined,
    end: Place,
  ): Promise<void> {
    const { store, shelves } = this.parts
    let next: Delivery = { put: [], gone: [], place: undefined }
    for await (const refs of all) {
      if (this.isStopped()) return
      if (next.put.length || next.gone.length) await shelves.take(next)
      const texts = await store.read((tx) => textsOf(tx, refs))
      next = { ...texts, place: reached(refs.at(-1)!) }
    }
    if (!this.isStopped()) await shelves.take({ ...next, place: end })
  }
}
