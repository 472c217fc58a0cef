import { useState } from 'react'
import { useLocation } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { type Page, restorePage, useTaskPages } from '../../entities/page/data.ts'
import { ancestorsOf } from '../../entities/page/nesting.ts'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { PageHeader, usePageTask } from './head.tsx'
import { IN_PAGE } from './shortcuts.ts'
import { VersionDiff, VersionText } from './version-diff.tsx'
import { VersionList } from './version-list.tsx'
import './versions.css'

type DiffEnd = Output<'pages.diff'>['from']

interface Props {
  page: Page
  /** The version number; 0 for the newest version. */
  requested: number
  /** The version to compare with; 0 for the one before. */
  requestedBase: number
}

/** The versions of a page: their changes, their text, and restoring them. */
export default function Versions({ page, requested, requestedBase }: Props) {
  const { page_id, task_id, ticket_number, project_id, title } = page
  const { data: pages = [] } = useTaskPages(task_id)
  const { task } = usePageTask(task_id)
  const exists = (version: number) => version >= 1 && version <= page.version
  const selectedVersion = exists(requested) ? requested : page.version
  const against = exists(requestedBase) ? requestedBase : selectedVersion - 1
  const [from, to] = [Math.min(selectedVersion, against), Math.max(selectedVersion, against)]
  const difference = useOperation(
    'pages.diff',
    { page_id, from: from || 1, to },
    { keepPrevious: true },
  )
  const { data } = difference
  const shownVersion = data && [data.from, data.to].find((one) => one.version === selectedVersion)
  const [showsText, setShowsText] = useState(false)
  const { show, close } = useVersionLinks(page_id)
  useShortcuts(IN_PAGE, { edit: ignore, save: ignore, versions: close, leave: close })
  const isFixed = task?.status === 'Deleted'
  return (
    <article
      className="task sheet fill"
      tabIndex={-1}
      aria-label={t('pages.versions_of_title', { title })}
    >
      <PageHeader
        task={{ project_id, ticket_number, title: task?.title }}
        path={[
          ...ancestorsOf(pages, page.parent_page_id),
          ...pages.filter((p) => p.page_id === page_id),
        ]}
      >
        <button type="button" className="button quiet" onClick={close}>
          <Icon name="close" /> <span className="word">{t('pages.close_versions')}</span>
        </button>
      </PageHeader>
      <div className="sheet-body">
        <div className="columns versions">
          <div className="text">
            <h1 dir="auto">{shownVersion?.title ?? title}</h1>
            <LoadError of={difference} what={t('pages.this_comparison')} />
            {shownVersion && (
              <VersionInfo end={shownVersion} isCurrent={shownVersion.version === page.version} />
            )}
            <div className="choices">
              <ViewToggle showsText={showsText} onText={setShowsText} />
              {!showsText && page.version > 1 && (
                <BasePicker {...{ selectedVersion, against }} newest={page.version} onPick={show} />
              )}
              {shownVersion && shownVersion.version !== page.version && !isFixed && (
                <Restore page={page} end={shownVersion} onDone={close} />
              )}
            </div>
            {showsText || from < 1 ? (
              <VersionText {...{ page_id, title }} version={selectedVersion} />
            ) : (
              data && <VersionDiff page_id={page_id} difference={data} />
            )}
          </div>
          <VersionList page_id={page_id} selected={selectedVersion} onChoose={(one) => show(one)} />
        </div>
      </div>
    </article>
  )
}

const ignore = () => false as const

function useVersionLinks(page_id: number) {
  const [, go] = useLocation()
  const state = history.state
  return {
    show: (version: number, against?: number) =>
      go(`/p/${page_id}?version=${version}${against ? `&against=${against}` : ''}`, {
        ...{ replace: true, state },
      }),
    close: () => go(`/p/${page_id}`, { state }),
  }
}

function VersionInfo({
  end: { author, created_at, note, version },
  isCurrent,
}: {
  end: DiffEnd
  isCurrent: boolean
}) {
  const { short, full } = agoText(created_at)
  return (
    <p className="about">
      <span>
        {isCurrent
          ? t('pages.version_current', { version })
          : t('pages.version_version', { version })}
      </span>
      <span>
        {author.name},{' '}
        <time dateTime={created_at} title={full}>
          {short}
        </time>
      </span>
      {note && <q dir="auto">{note}</q>}
    </p>
  )
}

const ViewToggle = ({
  showsText,
  onText,
}: {
  showsText: boolean
  onText(isText: boolean): void
}) => (
  <fieldset className="diff-mode segments">
    <legend className="unseen">{t('pages.view')}</legend>
    {([t('pages.what_changed'), t('pages.the_text_name')] as const).map((name, at) => (
      <button
        key={name}
        type="button"
        className="button quiet"
        aria-pressed={showsText === (at === 1)}
        onClick={() => onText(at === 1)}
      >
        {name}
      </button>
    ))}
  </fieldset>
)

interface BasePickerProps {
  selectedVersion: number
  against: number
  newest: number
  onPick(version: number, against: number): void
}

const BasePicker = ({ selectedVersion, against, newest, onPick }: BasePickerProps) => (
  <label className="compare-with">
    {t('pages.compared_with')}
    <select
      className="field"
      value={against}
      onChange={({ target }) => onPick(selectedVersion, Number(target.value))}
    >
      {against < 1 && <option value={against}>{t('pages.no_earlier_version')}</option>}
      {Array.from({ length: newest }, (_, at) => newest - at)
        .filter((one) => one !== selectedVersion)
        .map((one) => (
          <option key={one} value={one}>
            {one === selectedVersion - 1
              ? t('pages.version_previous', { version: one })
              : one === newest
                ? t('pages.version_current', { version: one })
                : t('pages.version_version', { version: one })}
          </option>
        ))}
    </select>
  </label>
)

/** Restores a version; undo restores the one that was current. */
function Restore({ page, end, onDone }: { page: Page; end: DiffEnd; onDone(): void }) {
  const { page_id } = page
  const { data } = useOperation('pages.versions', { page_id, limit: 50 })
  const before = data?.items.find(({ current }) => current)?.version_id
  const restore = () =>
    void restorePage(page, end.version_id).then(() => {
      onDone()
      const undo = () => void restorePage(page, before).catch(showError)
      showToast(
        t('pages.restored_version_version', { version: end.version }),
        before === undefined ? undefined : undo,
      )
    }, showError)
  return (
    <button type="button" className="button main restore" onClick={restore}>
      {t('pages.restore_this_version')}
    </button>
  )
}
