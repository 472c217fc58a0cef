import { useOperation } from '../../data/cache.ts'
import { errorText } from '../../kit/errors.ts'
import { Html } from './html.tsx'

/** Shows a text as the server will render it. */
export function Preview({ text }: { text: string }) {
  const { data, error } = useOperation('drafts.preview', { text })
  if (error) return <p className="soft">{errorText(error)}</p>
  return <Html html={data?.html ?? ''} />
}
