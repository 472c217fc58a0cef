/**
 * Moves the focus from a field that is left or about to be removed to the task around it, so that
 * shortcuts and screen readers continue there.
 */
export function leaveField(within = '.task') {
  const field = document.activeElement?.closest<HTMLElement>(within)
  const task = field?.closest<HTMLElement>('.peek') ?? field?.closest<HTMLElement>('.task')
  task?.focus({ preventScroll: true })
}
