import { ChunkLoadError } from '../../kit/lazy-component.ts'
import { showErrorToast } from '../../kit/toasts.tsx'
import type { TimedTask } from './data.ts'

/** `toggle`, loaded on first use. */
export const toggleTimer = (task: TimedTask) =>
  import('./toggle.ts').then(
    ({ toggle }) => toggle(task),
    () => showErrorToast(new ChunkLoadError(() => {}).message),
  )
