import type { Client } from './catalog.ts'
import type { Day, Who } from './demo-board.ts'

/** Somebody of the team, with whatever they may ask for. */
export type Call = <N extends keyof Client>(
  name: N,
  input: Parameters<Client[N]>[0],
) => Promise<Awaited<ReturnType<Client[N]>>>

export interface Scene {
  as: Readonly<Record<Who, Call>>
  /** How each is named where they are mentioned. */
  named: Readonly<Record<Who, { user_id?: number; agent_id?: string; display_name: string }>>
  board: Pick<Awaited<ReturnType<Client['projects.create']>>, 'project_id' | 'sections'>
  /** The key of a task by its title. */
  key(title: string): string
  day: Day
}
