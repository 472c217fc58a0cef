import { t } from '../../messages/t.ts'
import type { Template, TemplateTask } from './templates.ts'

const task = (
  section_title: string,
  title: string,
  label: string,
  fields: Partial<TemplateTask> = {},
): TemplateTask => ({ section_title, title, labels: [label], ...fields })

/** An example board with tasks in every column, to look around in. */
export const EXAMPLE: Template = {
  name: t('start.example_board'),
  about: t('start.a_board_with_sample_tasks_archive_it'),
  board: {
    title: t('start.spring_release_example'),
    sections: [
      { title: t('start.ideas'), role: 'intake' },
      { title: t('start.next_up'), role: 'committed' },
      { title: t('common.in_progress'), role: 'building' },
      { title: t('start.review'), role: 'verify' },
      { title: t('common.done'), role: 'done' },
    ],
    labels: [
      { name: 'web', color: '#2f6f9f' },
      { name: 'api', color: '#6b4fa0' },
      { name: t('start.label_docs'), color: '#2d7d46' },
      { name: t('start.label_risk'), color: '#c0392b' },
    ],
  },
  tasks: [
    task(t('start.ideas'), t('start.let_people_pick_a_dark_theme'), 'web', {
      priority: 4,
      estimate: 4,
    }),
    task(
      t('start.ideas'),
      t('start.ask_three_customers_how_they_plan_their'),
      t('start.label_docs'),
      {
        priority: 3,
      },
    ),
    task(t('start.ideas'), t('start.swimlanes_by_assignee'), 'web', { estimate: 5 }),
    task(
      t('start.next_up'),
      t('start.exports_time_out_on_boards_with_many'),
      t('start.label_risk'),
      {
        ...{ priority: 1, estimate: 5, due_in: 2, content_type: 'markdown' },
        description: t('start.an_export_of_20_000_tasks_stops'),
      },
    ),
    task(t('start.next_up'), t('start.write_the_upgrade_guide'), t('start.label_docs'), {
      ...{ priority: 2, estimate: 3, due_in: 9, content_type: 'markdown' },
      description: t('start.contents_what_changes_for_operators_how_to'),
    }),
    task(t('start.next_up'), t('start.cursor_paging_for_comments'), 'api', {
      priority: 3,
      estimate: 3,
    }),
    task(t('common.in_progress'), t('start.show_who_is_looking_at_a_board'), 'web', {
      ...{ priority: 3, estimate: 5, due_in: 5 },
    }),
    task(
      t('common.in_progress'),
      t('start.renew_the_certificate_of_the_mail_server'),
      t('start.label_risk'),
      {
        ...{ priority: 1, estimate: 2, due_in: -1 },
      },
    ),
    task(t('start.review'), t('start.keyboard_shortcuts_for_moving_tasks'), 'web', {
      priority: 2,
      estimate: 4,
    }),
    task(t('start.review'), t('start.name_the_invalid_field_in_error_messages'), 'api', {
      priority: 3,
      estimate: 2,
    }),
    task(t('common.done'), t('start.rate_limits_answer_with_retry_after'), 'api', {
      priority: 3,
      estimate: 2,
    }),
    task(t('common.done'), t('start.one_page_for_the_whole_manual'), t('start.label_docs'), {
      estimate: 3,
    }),
  ],
  playbook: {},
}
