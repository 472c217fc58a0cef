import { useMemo } from 'react'
import { type Page, readingLength } from '../../entities/page/data.ts'
import { kindOf } from '../../entities/page/tree.tsx'
import { Avatar } from '../../entities/user/avatar.tsx'
import { agoText } from '../../kit/dates.ts'
import { rich, t } from '../../messages/t.ts'

/** Who changed the page when, and its reading time. */
export function PageInfo({ page }: { page: Page }) {
  const { updated_by, updated_at, version, canvas, content } = page
  const { short, full } = agoText(updated_at)
  const { words, minutes } = useMemo(() => readingLength(content), [content])
  const changedAt = (
    <time dateTime={updated_at} title={full}>
      {short}
    </time>
  )
  return (
    <p className="about">
      <Avatar actor={updated_by} />
      <span>
        {version === 1
          ? rich('pages.created_by', { name: updated_by.name, when: changedAt })
          : rich('pages.updated_by', { name: updated_by.name, when: changedAt })}
      </span>
      <span>{t('pages.version_version', { version })}</span>
      {(canvas || page.kind !== 'page') && <span>{kindOf(page)[1]}</span>}
      {!canvas && (
        <>
          <span>{t('pages.word_count', { count: words })}</span>
          <span>{t('pages.minutes_min_read', { minutes })}</span>
        </>
      )}
    </p>
  )
}
