import type { Library } from '../../../kernel/outside.ts'
import type { Shelves } from '../../../search/library/shelves.ts'
import { Feeder, type Feeding } from './feeder.ts'

/** Keeps a library at what the database says, from now until it is told to stop. */
export function startFeeding({ shelves, ...parts }: Feeding & { shelves: Shelves }) {
  const feeder = new Feeder({ ...parts, shelves })
  const library: Library = {
    seek: (question) => shelves.seek(question),
    isBuilding: () => !feeder.isLevel,
  }
  return { library, stop: () => feeder.stop() }
}
