import type { Library } from '../../../kernel/outside.ts'
import type { Shelves } from '../../../search/library/shelves.ts'
import { Feeder, type Feeding } from './feeder.ts'

const isUnready = (error: unknown) => error instanceof Error && error.name === 'Unready'

/** Keeps a library at what the database says, from now until it is told to stop. */
export function startFeeding({ shelves, ...parts }: Feeding & { shelves: Shelves }) {
  const feeder = new Feeder({ ...parts, shelves })
  const library: Library = {
    seek: (question) =>
      shelves.seek(question).catch((error) => {
        if (isUnready(error)) feeder.unsettled()
        throw error
      }),
    isBuilding: () => !feeder.isLevel,
  }
  return { library, stop: () => feeder.stop() }
}
