import type { Input } from '../../data/client.ts'
import { t } from '../../messages/t.ts'
import { ADVICE, AGENTS } from './playbooks.ts'

type Draft = Input<'projects.create'>

export interface Template {
  name: string
  about: string
  board: Pick<Draft, 'title' | 'sections' | 'labels'>
  /** The first tasks, which explain the board. */
  tasks: readonly TemplateTask[]
  /** The rules for agents on the board. */
  playbook: Omit<Input<'projects.set_playbook'>, 'project_id'>
}

/** `due_in` is the number of days until the due date, counted from the creation of the board. */
export type TemplateTask = NonNullable<Draft['tasks']>[number] & { due_in?: number }

const text = (description: string) => ({ description, content_type: 'markdown' as const })

const moveTask = (section_title: string): TemplateTask => ({
  title: t('start.move_this_card_to_the_next_column'),
  section_title,
  priority: 3,
  ...text(t('start.drag_it_with_the_mouse_or_a')),
})

const connectTask = (section_title: string, labels: string[] = []): TemplateTask => ({
  title: t('start.connect_an_agent_and_give_it_this'),
  section_title,
  // Urgent, so that an agent that asks for the next task gets this one.
  priority: 1,
  labels,
  ...text(t('start.click_next_to_agents_in_the_sidebar')),
})

/** Five templates. Their columns show how work flows. */
export const TEMPLATES: readonly Template[] = [
  {
    name: t('start.software_project'),
    about: t('start.from_idea_to_release_with_a_review'),
    board: {
      title: t('start.product'),
      sections: [
        { title: t('start.ideas'), role: 'intake' },
        { title: t('start.next'), role: 'committed' },
        { title: t('common.in_progress'), role: 'building' },
        { title: t('start.review'), role: 'verify' },
        { title: t('start.shipped'), role: 'done' },
      ],
      labels: [
        { name: t('start.label_feature'), color: '#2d7d46' },
        { name: t('start.label_bug'), color: '#c0392b' },
        { name: t('start.label_chore'), color: '#7f6b55' },
        { name: t('start.label_docs'), color: '#2f6f9f' },
      ],
    },
    tasks: [
      moveTask(t('common.in_progress')),
      connectTask(t('start.next'), [t('start.label_chore')]),
      {
        title: t('start.write_down_what_the_next_release_is'),
        section_title: t('start.ideas'),
        labels: [t('start.label_feature')],
        ...text(t('start.one_sentence_for_its_users_and_three')),
      },
    ],
    playbook: {
      working_rules: t('start.rules_one_task_is_one_change', { rules: AGENTS }),
      definition_of_done: [
        t('start.the_tests_pass_including_one_that_failed'),
        t('start.a_comment_says_what_was_changed_and'),
        t('start.docs_affected_by_the_change_are_updated'),
      ],
    },
  },
  {
    name: t('start.bug_tracker'),
    about: t('start.confirm_fix_and_verify_bug_reports'),
    board: {
      title: t('start.bugs'),
      sections: [
        { title: t('start.reported'), role: 'intake' },
        { title: t('start.confirmed'), role: 'committed' },
        { title: t('start.fixing'), role: 'building' },
        { title: t('start.to_verify'), role: 'verify' },
        { title: t('start.closed'), role: 'done' },
      ],
      labels: [
        { name: t('start.data_loss'), color: '#c0392b' },
        { name: t('start.label_crash'), color: '#b3541e' },
        { name: t('start.looks_wrong'), color: '#6b4fa0' },
        { name: t('start.cannot_reproduce'), color: '#7f6b55' },
      ],
    },
    tasks: [
      {
        title: t('start.example_the_export_stops_after_30_seconds'),
        section_title: t('start.reported'),
        priority: 2,
        labels: [t('start.label_crash')],
        ...text(t('start.steps_to_reproduce_1_open_a_board')),
      },
      moveTask(t('start.confirmed')),
      connectTask(t('start.confirmed')),
    ],
    playbook: {
      working_rules: t('start.rules_reproduce_the_bug_first', { rules: AGENTS }),
      definition_of_done: [
        t('start.a_test_fails_without_the_change_and'),
        t('start.a_comment_names_the_cause_in_one'),
      ],
    },
  },
  {
    name: t('start.content_calendar'),
    about: t('start.from_idea_to_publication_on_schedule'),
    board: {
      title: t('start.content'),
      sections: [
        { title: t('start.ideas'), role: 'intake' },
        { title: t('start.planned'), role: 'committed' },
        { title: t('start.drafting'), role: 'building' },
        { title: t('start.editing'), role: 'verify' },
        { title: t('start.published'), role: 'done' },
      ],
      labels: [
        { name: t('start.label_article'), color: '#935a26' },
        { name: t('start.label_newsletter'), color: '#2f6f77' },
        { name: t('start.label_social'), color: '#6b4fa0' },
        { name: t('start.label_video'), color: '#c0392b' },
      ],
    },
    tasks: [
      {
        title: t('start.example_what_we_learned_this_month'),
        section_title: t('start.planned'),
        priority: 3,
        due_in: 14,
        labels: [t('start.label_newsletter')],
        ...text(t('start.audience_people_who_tried_us_once_key')),
      },
      { ...moveTask(t('start.drafting')), due_in: 2 },
      connectTask(t('start.planned'), [t('start.label_article')]),
    ],
    playbook: {
      working_rules: t('start.rules_write_drafts_as_a_page', { rules: AGENTS }),
      definition_of_done: [
        t('start.a_person_has_reviewed_it'),
        t('start.the_task_links_to_the_published_version'),
      ],
    },
  },
  {
    name: t('start.personal_week'),
    about: t('start.what_you_do_this_week_and_what'),
    board: {
      title: t('start.my_week'),
      sections: [
        { title: t('start.someday'), role: 'intake' },
        { title: t('start.this_week'), role: 'committed' },
        { title: t('common.today'), role: 'building' },
        { title: t('common.done'), role: 'done' },
      ],
      labels: [
        { name: t('start.label_home'), color: '#2d7d46' },
        { name: t('start.label_work'), color: '#2f6f9f' },
        { name: t('start.label_errand'), color: '#b3541e' },
      ],
    },
    tasks: [
      moveTask(t('common.today')),
      {
        title: t('start.plan_the_week'),
        section_title: t('start.this_week'),
        due_in: 7,
        labels: [t('start.label_home')],
        ...text(t('start.open_this_task_and_set_repeats_to')),
      },
      {
        title: t('start.learn_to_make_good_bread'),
        section_title: t('start.someday'),
        labels: [t('start.label_home')],
      },
    ],
    playbook: { working_rules: ADVICE },
  },
  {
    name: t('start.agents_at_work'),
    about: t('start.people_plan_and_review_agents_claim_and'),
    board: {
      title: t('start.agents_at_work'),
      sections: [
        { title: t('start.to_plan'), role: 'intake' },
        { title: t('start.ready_for_agents'), role: 'committed' },
        { title: t('start.agents_building'), role: 'building' },
        { title: t('start.people_check'), role: 'verify' },
        { title: t('common.done'), role: 'done' },
      ],
      labels: [
        { name: t('start.safe_to_automate'), color: '#2d7d46' },
        { name: t('start.needs_a_person'), color: '#9a5b00' },
        { name: t('start.label_research'), color: '#2f6f9f' },
      ],
    },
    tasks: [
      connectTask(t('start.ready_for_agents'), [t('start.safe_to_automate')]),
      moveTask(t('start.to_plan')),
      {
        title: t('start.decide_what_agents_may_do_alone'),
        section_title: t('start.people_check'),
        labels: [t('start.needs_a_person')],
        ...text(t('start.agents_read_the_playbook_of_this_board')),
      },
    ],
    playbook: {
      working_rules: t('start.rules_claim_only_ready_tasks', { rules: AGENTS }),
      definition_of_done: [
        t('start.a_comment_says_what_was_done_what'),
        t('start.everything_a_person_has_to_decide_is'),
      ],
    },
  },
]
