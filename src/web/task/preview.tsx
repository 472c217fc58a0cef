import { useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { Html } from './html.tsx'

/** How a text will look, as the server will show it. */
export function Preview({ text }: { text: string }) {
  const { data, error } = useAsk('drafts.preview', { text })
  if (error) return <p className="soft">{wordsOf(error)}</p>
  return <Html html={data?.html ?? ''} />
}
