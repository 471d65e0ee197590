//! Phrases of mail programs and their users in Spanish.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["el"],
    verbs: &["escribio", "citando", "citando a"],
    from_keys: &["de", "remitente"],
    other_keys: &["enviado", "enviado el", "fecha", "para", "cc", "asunto"],
    separators: &[
        "mensaje original",
        "mensaje reenviado",
        "inicio del mensaje reenviado",
        "correo original",
    ],
    footers: &[
        "enviado desde mi ",
        "enviado desde correo ",
        "enviado desde outlook",
        "enviado desde yahoo",
        "obtener outlook para ",
        "libre de virus.",
    ],
    lists: &["lista de correo"],
    disclaimers: &[
        "este mensaje y sus archivos adjuntos",
        "aviso de confidencialidad",
    ],
    greetings: &[
        "hola",
        "buenos dias",
        "buenas tardes",
        "estimado",
        "estimada",
    ],
    closings: &[
        "saludos",
        "un saludo",
        "saludos cordiales",
        "atentamente",
        "gracias",
        "muchas gracias",
        "un abrazo",
    ],
    sentences: &[
        "mi direccion",
        "nueva direccion",
        "hasta",
        "estoy",
        "estare",
    ],
    orders: &["ordenes", "turno"],
    absences: &["respuesta automatica"],
    begin: &["inicio ordenes", "inicio de ordenes"],
    end: &["fin ordenes", "fin de ordenes"],
};
