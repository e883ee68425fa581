//! Needs in recorded sessions, and a control with results of other projects.

use std::collections::HashMap;

use palimpsest_core::need::{Field, Index, NeedEvent, RequestSpan, SentRows, Texts, Vocabulary, confirm, find_events};
use palimpsest_sessions::account::{Account, AccountSettings, NeedDetail, Progress, account_files, to_json};
use palimpsest_sessions::{Part, Session};

use crate::{every_source, recordings};

/// A row is one part here, unlike the crate's internal rows.
struct Parts<'a> {
    all: Vec<(u32, &'a Part)>,
    /// For each part, the number of results before it.
    results_before: Vec<usize>,
    /// Replacement of each result.
    foreign: Option<Vec<&'a Part>>,
}

impl<'a> Parts<'a> {
    fn of(session: &'a Session) -> Self {
        let each = (0..).zip(&session.messages);
        let all: Vec<(u32, &Part)> =
            each.flat_map(|(at, message)| message.parts.iter().map(move |part| (at, part))).collect();
        let results_before = all.iter().scan(0, |count, (_, part)| {
            *count += usize::from(is_result(part));
            Some(*count - usize::from(is_result(part)))
        });
        Self { results_before: results_before.collect(), all, foreign: None }
    }

    fn results(&self) -> impl Iterator<Item = &'a Part> + '_ {
        self.all.iter().map(|(_, part)| *part).filter(|part| is_result(part))
    }

    /// Number of needs in all contexts.
    fn events(&self, session: &Session, vocabulary: &Vocabulary) -> usize {
        let mut starts = vec![self.all.len(); session.messages.len() + 1];
        for (at, (message, _)) in self.all.iter().enumerate().rev() {
            starts[*message as usize] = at;
        }
        for at in (0..session.messages.len()).rev() {
            starts[at] = starts[at].min(starts[at + 1]);
        }
        let rows_of = |message: u32| starts[message as usize]..starts[message as usize + 1];
        let answers = session.requests().filter_map(|request| request.answer);
        let answers = answers.flat_map(rows_of).filter(|&row| !is_result(self.all[row].1));
        let index = Index::new(self, answers);
        let mut count = 0;
        for thread in &session.threads {
            for (number, context) in (0..).zip(&thread.contexts) {
                let mut ends = vec![0];
                let mut rows: Vec<usize> = Vec::new();
                for &message in &context.messages {
                    rows.extend(rows_of(message));
                    ends.push(rows.len());
                }
                let requests = thread.requests.iter().filter(|request| request.context == number);
                let spans = requests.map(|request| RequestSpan {
                    len: ends.get(request.sent_count as usize).copied().unwrap_or(rows.len()),
                    assistant_rows: request.answer.map_or(0..0, rows_of),
                });
                let spans: Vec<RequestSpan> = spans.collect();
                let results: Vec<bool> = rows.iter().map(|&row| is_result(self.all[row].1)).collect();
                let found = find_events(&index, &SentRows { rows: &rows, is_result: &results, requests: &spans });
                let counts = |event: &&NeedEvent| confirm(event, &|key| vocabulary.is_common(key)).is_some();
                count += found.iter().filter(counts).count();
            }
        }
        count
    }
}

fn is_result(part: &Part) -> bool {
    matches!(part, Part::Result { .. })
}

impl Texts for Parts<'_> {
    fn row_count(&self) -> usize {
        self.all.len()
    }

    fn read(&self, row: usize, read: &mut dyn FnMut(Field<'_>)) {
        let (_, part) = self.all[row];
        let foreign = self.foreign.as_ref().filter(|all| is_result(part) && !all.is_empty());
        fields(foreign.map_or(part, |all| all[self.results_before[row] % all.len()]), read);
    }
}

fn fields(part: &Part, read: &mut dyn FnMut(Field<'_>)) {
    match part {
        Part::Text(text) | Part::Reasoning { text, .. } | Part::Tools(text) | Part::Other { json: text, .. } => {
            read(Field::Text(text));
        }
        Part::Call { arguments, free_text: true, .. } => read(Field::Text(arguments)),
        Part::Call { arguments, .. } => read(Field::Arguments(arguments)),
        Part::Result { content, .. } => content.iter().for_each(|part| fields(part, read)),
        Part::Media(_) => {}
    }
}

fn project(session: &Session, path: &str) -> String {
    session.project.clone().unwrap_or_else(|| path.to_owned())
}

#[test]
fn r14_2_results_of_another_project_are_hardly_ever_needed() {
    let Some(folder) = recordings() else { return };
    let sources = every_source(&folder);
    let sessions: Vec<(String, &Session)> = sources
        .iter()
        .flat_map(|(name, sessions)| sessions.iter().map(move |session| (project(session, name), session)))
        .filter(|(_, session)| session.requests().count() >= 20)
        .collect();
    let mut vocabulary = Vocabulary::default();
    for (name, sessions) in &sources {
        for session in sessions {
            let index = Index::new(&Parts::of(session), std::iter::empty());
            vocabulary.add(&project(session, name), &index.names);
        }
    }
    let (mut own, mut foreign) = (0, 0);
    for (at, (project, session)) in sessions.iter().enumerate() {
        let others = sessions.iter().cycle().skip(at + 1).take(sessions.len());
        let Some((_, other)) = others.filter(|(name, _)| name != project).max_by_key(|(_, other)| other.messages.len())
        else {
            continue;
        };
        let mut parts = Parts::of(session);
        own += parts.events(session, &vocabulary);
        parts.foreign = Some(Parts::of(other).results().collect());
        foreign += parts.events(session, &vocabulary);
    }
    eprintln!("{own} needs of {} sessions; {foreign} of foreign results", sessions.len());
    assert!(own > 200 && foreign * 20 < own, "{foreign} of {own}");
}

#[test]
fn r14_1_needs_of_a_session_do_not_depend_on_other_sessions_or_on_the_number_of_threads() {
    let Some(folder) = recordings() else { return };
    let options = AccountSettings { need: Some(NeedDetail::Misses), ..crate::support::settings() };
    let threads = |count: usize| {
        let paths = ["codex", "pi", "langgraph", "gemini-cli"].map(|name| folder.join(name));
        account_files(&paths, &options, count.try_into().unwrap(), &Progress::default())
    };
    let (one, four) = (threads(1), threads(4));
    assert_eq!(to_json(&one), to_json(&four));
    let accounts: Vec<&Account> = one.files.iter().flat_map(|file| &file.sessions).collect();
    let mut sums: HashMap<&str, (usize, usize)> = HashMap::new();
    for figures in accounts.iter().flat_map(|account| &account.simulations).flat_map(|one| &one.policies) {
        let need = figures.need.unwrap();
        let sum = sums.entry(figures.policy).or_default();
        *sum = (sum.0 + need.needs, sum.1 + need.missed);
    }
    assert!(sums["leave-alone"].0 > 100 && sums["leave-alone"].1 == 0, "{sums:?}");
    assert!(sums["every-request"].1 > 0 && sums["view"].1 > 0, "{sums:?}");
    let listed_misses: usize = accounts
        .iter()
        .flat_map(|account| &account.simulations)
        .filter_map(|one| one.misses.as_ref())
        .map(Vec::len)
        .sum();
    assert_eq!(listed_misses, sums["view"].1, "each miss has its line");
}
