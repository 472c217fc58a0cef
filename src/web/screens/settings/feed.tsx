import { useState } from 'react'
import { useCache } from '../../data/cache.ts'
import { callOperation, newIdempotencyKey, type Output } from '../../data/client.ts'
import { Copy } from '../../kit/copy.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { Form, FormFooter } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'
import '../../entities/agent/connect.css'
import type { PartProps } from './part-props.ts'
import { ShowOnce } from './show-once.tsx'

type CreatedFeed = Output<'calendar_feeds.create'>

const TASKS = [
  ['mine', t('settings.assigned_to_you_name')],
  ['all', t('common.all')],
] as const
const EMPTY = { title: '', what: 'mine' as 'mine' | 'all', board: null as number | null }

/** Creates a calendar feed and shows its URL once. */
export function NewFeed({ me }: Pick<PartProps, 'me'>) {
  const { created, fields, update, create, close } = useCreateFeed()
  if (created) return <FeedAddress created={created} onClose={close} />
  return (
    <Form label={t('settings.new_feed')} onSubmit={create}>
      <div className="fields">
        <TextField
          label={t('common.name')}
          name="title"
          placeholder={t('settings.name_in_your_calendar_optional')}
          maxLength={200}
          autoComplete="off"
          value={fields.title}
          onChange={(title) => update({ title })}
        />
        <SelectField
          label={t('common.tasks')}
          value={fields.what}
          choices={TASKS}
          onPick={(what) => update({ what })}
        />
        <SelectField
          label={t('common.board')}
          value={fields.board}
          choices={[
            [null, t('common.all_boards')],
            ...me.boards.map(({ project_id, title }) => [project_id, title] as const),
          ]}
          onPick={(board) => update({ board })}
        />
      </div>
      <FormFooter>{t('settings.create_feed')}</FormFooter>
    </Form>
  )
}

function useCreateFeed() {
  const [fields, setFields] = useState(EMPTY)
  const [created, setCreated] = useState<CreatedFeed>()
  const cache = useCache()
  const create = async () => {
    const { what, board } = fields
    const title = fields.title.trim()
    const input = { what, ...(title && { title }), ...(board && { project_ids: [board] }) }
    setCreated(await callOperation('calendar_feeds.create', input, { key: newIdempotencyKey() }))
    setFields(EMPTY)
    void cache.invalidateQueries({ queryKey: ['calendar_feeds.list'] })
  }
  const update = (changes: Partial<typeof EMPTY>) =>
    setFields((previous) => ({ ...previous, ...changes }))
  return { created, fields, update, create, close: () => setCreated(undefined) }
}

const FeedAddress = ({ created, onClose }: { created: CreatedFeed; onClose(): void }) => (
  <ShowOnce title={t('settings.address_of_title', { title: created.title })} onClose={onClose}>
    {(onCopied) => (
      <>
        <Copy label={t('settings.address')} text={created.url} onCopied={onCopied} />
        <dl>
          <dt>{t('settings.apple_calendar')}</dt>
          <dd>{t('settings.file_new_calendar_subscription_on_an')}</dd>
          <dt>{t('settings.google_calendar')}</dt>
          <dd>{t('settings.other_calendars_from_url_google_reads_it')}</dd>
          <dt>{t('settings.thunderbird')}</dt>
          <dd>{t('settings.new_calendar_on_the_network_and_leave')}</dd>
        </dl>
      </>
    )}
  </ShowOnce>
)
