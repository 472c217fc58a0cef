import type { Me } from '../frame/places.ts'

/** The props of each section of the settings. */
export interface PartProps {
  me: Me
  /** The id of the team or board. */
  id: string | undefined
}
