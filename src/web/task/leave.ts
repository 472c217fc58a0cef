/**
 * The focus of a field that is left, or about to be gone, goes to the task around it: from there
 * keys and screen readers go on.
 */
export function leaveField(within = '.task') {
  const field = document.activeElement?.closest<HTMLElement>(within)
  const task = field?.closest<HTMLElement>('.peek') ?? field?.closest<HTMLElement>('.task')
  task?.focus({ preventScroll: true })
}
