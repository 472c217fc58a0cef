import { basePath } from '../../kit/base-path.ts'
import { createStore } from '../../kit/store.ts'
import type { ActorKey } from './avatar.tsx'

/** The versions of the uploaded pictures of people and agents. */
export const pictures = createStore<ReadonlyMap<ActorKey, string>>(new Map())

export const pictureUrl = (key: ActorKey, version: string) =>
  `${basePath}/api/v1/avatars/${key}/${version}`
