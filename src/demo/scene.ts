import type { Client } from '../catalog.ts'
import type { Day, DemoActor } from './board.ts'

/** Runs operations as one person or agent of the team. */
export type Call = <N extends keyof Client>(
  name: N,
  input: Parameters<Client[N]>[0],
) => Promise<Awaited<ReturnType<Client[N]>>>

export interface Scene {
  as: Readonly<Record<DemoActor, Call>>
  /** The ids and the name of each, as mentions and assignments need them. */
  actors: Readonly<Record<DemoActor, { user_id?: number; agent_id?: string; display_name: string }>>
  board: Pick<Awaited<ReturnType<Client['projects.create']>>, 'project_id' | 'sections'>
  /** The key of a task by its title. */
  key(title: string): string
  day: Day
}
