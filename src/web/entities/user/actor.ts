import type { Output } from '../../data/client.ts'

export type Actor = Output<'projects.board'>['actors'][number]
export type ActorKey = string | number

export const keyOf = ({ user_id, agent_id }: Actor): ActorKey => agent_id ?? user_id ?? 0
