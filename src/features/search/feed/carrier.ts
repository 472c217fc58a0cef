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
      return walked ? this.fill(place, walked, place) : this.follow(place)
    }
    if (place) log.warn({}, 'The search index is of another database, and is built anew')
    this.isLevel = false
    await shelves.forget()
    return this.fill(await store.read(newestPlace), BEGINNING)
  }

  private async follow(from: Place): Promise<boolean> {
    const { store } = this.parts
    const changes = await store.read((tx) => changesSince(tx, from.seq, BATCH))
    const last = changes.at(-1)
    if (last) {
      const place = await store.read((tx) => placeAt(tx, last.seq))
      const road = { from, reached: () => undefined, end: place }
      await this.carry(portions(refsIn(store, upkeepOf(changes))), road)
    }
    const isLast = changes.length < BATCH
    if (isLast && !this.isStopped()) this.isLevel = true
    return isLast
  }

  /** Everything there is; what is written meanwhile is followed afterwards. */
  private async fill({ seq }: Place, walked: Walked, from?: Place): Promise<boolean> {
    const { store, log } = this.parts
    const end = await store.read((tx) => placeAt(tx, seq))
    const share = await store.read((tx) => Share.of(tx, log))
    const upTo = (last: Ref): Place => {
      share.tell(last)
      return inWalk(end, last)
    }
    await this.carry(portions(refsBeyond(store, walked)), { from, reached: upTo, end })
    if (!this.isStopped()) share.end()
    return false
  }

  /** One portion after the other; with the last goes the place that is reached by then. */
  private async carry(all: AsyncIterable<Ref[]>, { from, reached, end }: Road): Promise<void> {
    const { store, shelves } = this.parts
    let at = from
    const take = async (delivery: Portion) => {
      await shelves.take({ ...delivery, after: at })
      at = delivery.place ?? at
    }
    let next: Portion = { put: [], gone: [], place: undefined }
    for await (const refs of all) {
      if (this.isStopped()) return
      if (next.put.length || next.gone.length) await take(next)
      const texts = await store.read((tx) => textsOf(tx, refs))
      next = { ...texts, place: reached(refs.at(-1)!) }
    }
    if (!this.isStopped()) await take({ ...next, place: end })
  }
}

type Portion = Omit<Delivery, 'after'>

/** From a place in the log to another one. */
interface Road {
  from: Place | undefined
  /** How far it is come with a text. */
  reached(last: Ref): Place | undefined
  end: Place
}
