import { basePath } from '../../kit/base-path.ts'
import { createStore } from '../../kit/store.ts'

/** The versions of the uploaded pictures of people and agents. */
export const pictures = createStore<ReadonlyMap<string | number, string>>(new Map())

export const pictureUrl = (key: string | number, version: string) =>
  `${basePath}/api/v1/avatars/${key}/${version}`
