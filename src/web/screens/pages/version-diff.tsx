import { useQuery } from '@tanstack/react-query'
import { useOperation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { Html } from '../../entities/editor/html.tsx'
import { Diff } from '../../kit/diff.tsx'
import { linesOf } from '../../kit/diff-lines.ts'
import { errorText } from '../../kit/errors.ts'
import { t } from '../../messages/t.ts'
import { CanvasPreview } from './canvas.tsx'

interface Props {
  page_id: number
  difference: Output<'pages.diff'>
}

/** The differences between two versions, the older one first. */
export function VersionDiff({ page_id, difference: { from, to, hunks } }: Props) {
  const { data: lines } = useQuery({
    queryKey: ['pages.get', { page_id, version: to.version, lines: true }],
    queryFn: () => fetchLines(page_id, to.version),
  })
  return (
    <>
      {from.title !== to.title && (
        <p className="renamed">
          {t('pages.title')} <del dir="auto">{from.title}</del> → <ins dir="auto">{to.title}</ins>
        </p>
      )}
      <Diff
        {...{ hunks, lines }}
        names={[
          versionName(from.version, from.author.name),
          versionName(to.version, to.author.name),
        ]}
      />
    </>
  )
}

const versionName = (version: number, name: string) =>
  t('pages.version_version_name', { version, name })

/** The lines of a version in the stored format, which the diff refers to. */
async function fetchLines(page_id: number, version: number): Promise<string[]> {
  const page = await callOperation('pages.get', { page_id, version, format: 'markdown' })
  if (page.canvas) return linesOf((await callOperation('pages.canvas', { page_id, version })).html)
  if (page.content_type === 'markdown') return linesOf(page.content)
  return linesOf((await callOperation('pages.get', { page_id, version, format: 'html' })).content)
}

interface VersionTextProps {
  page_id: number
  version: number
  title: string
}

/** The rendered text of a version. */
export function VersionText({ page_id, version, title }: VersionTextProps) {
  const { data, error } = useOperation('pages.get', { page_id, version, format: 'html' })
  const canvas = useOperation(
    'pages.canvas',
    { page_id, version },
    { enabled: data?.canvas === true },
  )
  if (error) return <p role="alert">{errorText(error)}</p>
  if (!data) return null
  return (
    <section aria-label={t('pages.the_text_name')}>
      {data.canvas ? (
        canvas.data && (
          <CanvasPreview
            html={canvas.data.html}
            title={t('pages.title_version_version', { title, version })}
          />
        )
      ) : (
        <Html html={data.content} format={data.format} />
      )}
    </section>
  )
}
