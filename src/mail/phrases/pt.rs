//! What mail programs and their users write in Portuguese, of both sides of the ocean.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["em", "no dia", "a"],
    verbs: &["escreveu"],
    from_keys: &["de", "remetente"],
    other_keys: &[
        "enviado",
        "enviada em",
        "enviado em",
        "data",
        "para",
        "cc",
        "assunto",
    ],
    separators: &[
        "mensagem original",
        "mensagem encaminhada",
        "mensagem reencaminhada",
        "inicio da mensagem encaminhada",
        "inicio da mensagem reencaminhada",
    ],
    footers: &[
        "enviado do meu ",
        "enviado via ",
        "enviado a partir do ",
        "obter o outlook para ",
        "obtenha o outlook para ",
        "livre de virus.",
    ],
    lists: &["lista de discussao"],
    disclaimers: &[
        "esta mensagem e seus anexos",
        "esta mensagem e os seus anexos",
    ],
    greetings: &[
        "ola",
        "oi",
        "bom dia",
        "boa tarde",
        "boa noite",
        "caro",
        "cara",
    ],
    closings: &[
        "atenciosamente",
        "att",
        "abracos",
        "um abraco",
        "abraco",
        "cumprimentos",
        "melhores cumprimentos",
        "com os melhores cumprimentos",
        "obrigado",
        "obrigada",
    ],
    absences: &[
        "resposta automatica",
        "ausencia temporaria",
        "fora do escritorio",
    ],
    begin: &["inicio das ordens", "inicio ordens"],
    end: &["fim das ordens", "fim ordens"],
};
