import type { Me } from '../../entities/user/me.ts'

/** The props of each section of the settings. */
export interface PartProps {
  me: Me
  /** The id of the team or board. */
  id: string | undefined
}
