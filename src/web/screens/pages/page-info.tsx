import { useMemo } from 'react'
import { type Page, readingLength } from '../../entities/page/data.ts'
import { kindOf } from '../../entities/page/tree.tsx'
import { Avatar } from '../../entities/user/avatar.tsx'
import { agoWords } from '../../kit/dates.ts'

/** Who changed the page when, and its reading time. */
export function PageInfo({ page }: { page: Page }) {
  const { updated_by, updated_at, version, canvas, content } = page
  const { short, full } = agoWords(updated_at)
  const { words, minutes } = useMemo(() => readingLength(content), [content])
  return (
    <p className="about">
      <Avatar actor={updated_by} />
      <span>
        {updated_by.name} {version === 1 ? 'created' : 'updated'} this{' '}
        <time dateTime={updated_at} title={full}>
          {short}
        </time>
      </span>
      <span>Version {version}</span>
      {(canvas || page.kind !== 'page') && <span>{kindOf(page)[1]}</span>}
      {!canvas && (
        <>
          <span>{words === 1 ? '1 word' : `${words.toLocaleString()} words`}</span>
          <span>{minutes} min read</span>
        </>
      )}
    </p>
  )
}
