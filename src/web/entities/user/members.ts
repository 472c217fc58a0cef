import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'

export type Member = Output<'projects.members'>['items'][number]

const NOBODY: readonly Member[] = []

/** The people and agents of a board, who can be assigned and mentioned. */
export const useMembers = (project_id: number) =>
  useOperation('projects.members', { project_id, limit: 50 }).data?.items ?? NOBODY
