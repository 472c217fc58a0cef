import { catalog } from '../../catalog.ts'
import { toArray } from '../../kernel/operation.ts'

/** The REST route of each operation. Runs at build time, so the app ships only a table. */
export const routes = (): Record<string, string> =>
  Object.fromEntries(
    catalog.flatMap(({ name, on }) => {
      const [route] = toArray(on.rest)
      return route ? [[name, route]] : []
    }),
  )
