import { complain } from '../frame/toasts.tsx'
import { Unfetched } from '../parts/part.ts'
import type { About } from './data.ts'

/** As `toggle`, which is fetched when it is first asked for. */
export const toggleTimer = (task: About) =>
  import('./toggle.ts').then(
    ({ toggle }) => toggle(task),
    () => complain(new Unfetched(() => {}).message),
  )
