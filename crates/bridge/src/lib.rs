mod library; pub mod annotation;
