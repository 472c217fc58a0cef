import { showErrorToast } from '../frame/toasts.tsx'
import { ChunkLoadError } from '../parts/lazy-component.ts'
import type { TimedTask } from './data.ts'

/** `toggle`, loaded on first use. */
export const toggleTimer = (task: TimedTask) =>
  import('./toggle.ts').then(
    ({ toggle }) => toggle(task),
    () => showErrorToast(new ChunkLoadError(() => {}).message),
  )
