import { Keeper, type Keeping } from './keeper.ts'
import type { Shelves } from './shelves.ts'

export type { Delivery, Place, Shelves, Text } from './shelves.ts'

/** In this thread: for tests and small programs. A server has a `Remote`. */
export const openShelves = (keeping: Keeping): Shelves => new Keeper(keeping)
