import { catalog } from '../../catalog.ts'
import { named } from '../../kernel/operation.ts'

/** Where each operation is asked for over REST. Runs while the app is built, so it ships a table. */
export const routes = (): Record<string, string> =>
  Object.fromEntries(
    catalog.flatMap(({ name, on }) => {
      const [route] = named(on.rest)
      return route ? [[name, route]] : []
    }),
  )
