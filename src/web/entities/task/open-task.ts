import { useLocation, useSearchParams } from 'wouter'

/** Screens that can show the task panel; on others a task opens as a page. */
const HAS_TASK_PANEL = /^\/(projects\/|my|inbox|reports|search|archive)/

export function useOpenTask() {
  const [path, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  return (key: string) => {
    if (!HAS_TASK_PANEL.test(path)) return navigate(`/t/${key}`)
    setQuery((query) => {
      query.set('task', key)
      return query
    })
  }
}
