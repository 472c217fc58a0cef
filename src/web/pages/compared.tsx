import { useQuery } from '@tanstack/react-query'
import { useAsk } from '../data/cache.ts'
import { ask, type Output, wordsOf } from '../data/client.ts'
import { Diff } from '../parts/diff.tsx'
import { linesOf } from '../parts/lines.ts'
import { Html } from '../task/html.tsx'
import { Drawn } from './canvas.tsx'

interface Props {
  page_id: number
  difference: Output<'pages.diff'>
}

/** What two versions differ in, the older one first. */
export function Compared({ page_id, difference: { from, to, hunks } }: Props) {
  const { data: lines } = useQuery({
    queryKey: ['pages.get', { page_id, version: to.version, lines: true }],
    queryFn: () => linesIn(page_id, to.version),
  })
  return (
    <>
      {from.title !== to.title && (
        <p className="renamed">
          Title: <del dir="auto">{from.title}</del> → <ins dir="auto">{to.title}</ins>
        </p>
      )}
      <Diff
        {...{ hunks, lines }}
        names={[nameOf(from.version, from.author.name), nameOf(to.version, to.author.name)]}
      />
    </>
  )
}

const nameOf = (version: number, name: string) => `Version ${version}, ${name}`

/** A version as it is kept, which is what was compared. */
async function linesIn(page_id: number, version: number): Promise<string[]> {
  const found = await ask('pages.get', { page_id, version, format: 'markdown' })
  if (found.canvas) return linesOf((await ask('pages.canvas', { page_id, version })).html)
  if (found.content_type === 'markdown') return linesOf(found.content)
  return linesOf((await ask('pages.get', { page_id, version, format: 'html' })).content)
}

interface ReadProps {
  page_id: number
  version: number
  title: string
}

/** How a version reads. */
export function Read({ page_id, version, title }: ReadProps) {
  const { data, error } = useAsk('pages.get', { page_id, version, format: 'html' })
  const drawn = useAsk('pages.canvas', { page_id, version }, { enabled: data?.canvas === true })
  if (error) return <p role="alert">{wordsOf(error)}</p>
  if (!data) return null
  return (
    <section aria-label="The text">
      {data.canvas ? (
        drawn.data && <Drawn html={drawn.data.html} title={`${title}, version ${version}`} />
      ) : (
        <Html html={data.content} format={data.format} />
      )}
    </section>
  )
}
